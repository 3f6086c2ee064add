"""Reading logs: every line becomes a hand, a blank or a reject that says where and why."""
