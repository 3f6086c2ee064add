"""Following logs: lines are loaded as a server appends them, files as they appear in a folder.

How far each file was taken is kept in the warehouse and published with the hands that it brought,
so that nothing is lost or repeated, however the follower ends and whatever becomes of the files.
"""
