"""The default pipeline: a draft, a judge's verdict, a review where the verdict asks for one."""
