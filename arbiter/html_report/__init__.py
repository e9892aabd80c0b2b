"""A tournament as one HTML page that needs no network: tables, plots, and every match card by card."""

from arbiter.html_report.data import MOST_MATCHES, report_data
from arbiter.html_report.page import html_page, live_page

__all__ = ["MOST_MATCHES", "html_page", "live_page", "report_data"]
