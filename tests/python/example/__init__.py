"""An agent loop in one page."""
