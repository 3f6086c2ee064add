"""Reports: an evening, a season or a player as one HTML file that needs nothing else."""
