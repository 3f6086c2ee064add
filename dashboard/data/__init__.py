"""What pages read: the snapshot, the scope and the filters chosen, work beside the pages."""
