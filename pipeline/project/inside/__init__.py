"""What is put into the sandbox beside a project. Imported nowhere else."""
