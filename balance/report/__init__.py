"""Report data, figures and pages; plotly and jinja2 live here only."""
