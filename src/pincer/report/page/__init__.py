"""The report as one HTML page that opens offline.

`render` gives the page. Its parts serve a page that gets its data later: `prepared` makes the data, `stylesheet`,
`drawing_library` and `view_scripts` are what shows them (`pincer.mountReport(container, data)`).
"""

from pincer.report.page.document import drawing_library, render, stylesheet, view_scripts
from pincer.report.page.preparation import prepared

__all__ = ["drawing_library", "prepared", "render", "stylesheet", "view_scripts"]
