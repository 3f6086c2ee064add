"""Tests of the project itself: layout, samples, schemas, documents."""
