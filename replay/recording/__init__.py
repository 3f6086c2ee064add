"""Recording a hand as it is played: drafts, what comes next, and the record that comes of them."""
