"""Checks a report page: it loads nothing, and its data are whole.

check_page.py PAGE REPORT.json: prints the numbers of groups, nodes and edges.
"""

import html.parser
import json
import sys


class Page(html.parser.HTMLParser):
    """Collects what a browser would load and run."""

    def __init__(self):
        super().__init__()
        self.scripts, self.loads, self.images, self.element = [], [], 0, None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.element = tag
        if tag == "script":
            self.scripts.append("")
        self.images += tag == "img"
        self.loads += [attributes[name] for name in ("src", "href") if name in attributes]

    def handle_data(self, data):
        if self.element == "script":
            self.scripts[-1] += data

    def handle_endtag(self, tag):
        self.element = None


text = open(sys.argv[1], encoding="utf-8").read()
report = json.load(open(sys.argv[2], encoding="utf-8"))
page = Page()
page.feed(text)
assert not page.loads and not page.images, (page.loads, page.images)
outside = text.replace("http://www.w3.org/2000/svg", "")
assert "http:" not in outside and "https:" not in outside and "@import" not in outside
data = json.loads(page.scripts[0])
for key, value in report.items():
    if key != "groups":
        assert data[key] == value, key
assert len(data["groups"]) == len(report["groups"])
for edge in data["edges"]:
    assert edge["producer"] < edge["consumer"] < len(data["nodes"]), edge
for node in data["nodes"]:
    assert -1 <= node["group"] < len(data["groups"]), node
reasons = sum("reason" in edge for edge in data["edges"])
kernels = len({group["kernel"] for group in data["groups"]})
print(f"{len(data['groups'])} groups of {kernels} kernels, {len(data['nodes'])} nodes, "
      f"{len(data['edges'])} edges, {reasons} with a reason")
