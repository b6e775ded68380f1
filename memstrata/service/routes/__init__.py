"""The routes, by what they are about; each is a translation, and nothing else."""
