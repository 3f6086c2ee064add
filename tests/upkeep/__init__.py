"""Tests of verify, rebuild and reaudit."""
