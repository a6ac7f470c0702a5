"""The documentation as a site: `pip install '.[docs]' && make docs`."""

from pincer import __version__

project = "Pincer"
author = "The Pincer developers"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton"]
exclude_patterns = ["_site"]
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
highlight_language = "none"
autodoc_member_order = "bysource"
autodoc_typehints = "description"
copybutton_prompt_text = "$ "


html_theme = "furo"
html_title = f"Pincer {release}"
html_static_path: list[str] = []
