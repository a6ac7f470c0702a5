"""Who is answered, and who is not."""

from __future__ import annotations

import pytest

from tests.cli.serving.serving_client import ADDRESS, finished, friend, order, server, stranger


def test_the_printed_address_opens_the_page() -> None:
    page = friend(server()).get("/")
    assert page.status_code == 200
    assert "Pincer" in page.text


@pytest.mark.parametrize("path", ["/", "/api/setup", "/assets/serve.js", "/?token=wrong", "/?token=%ff"])
def test_nothing_is_answered_without_the_secret(path: str) -> None:
    assert stranger(server()).get(path).status_code == 403


@pytest.mark.parametrize("path", ["/", "/api/setup", "/assets/serve.js", "/?token=wrong"])
def test_nothing_but_the_printed_address_is_answered_outside_its_folder(path: str) -> None:
    assert friend(server()).get(ADDRESS + path).status_code == 403


def test_the_printed_address_may_be_followed_from_anywhere() -> None:
    guard = server()
    opened = stranger(guard).get(guard.address, headers={"sec-fetch-site": "cross-site"})
    assert opened.status_code == 200
    assert guard.folder in opened.text


@pytest.mark.parametrize("host", ["evil.example:8642", "127.0.0.1:80", "127.0.0.1", "localhost.evil.example:8642", ""])
def test_names_of_other_hosts_are_refused(host: str) -> None:
    answer = friend(server()).get("/", headers={"host": host})
    assert answer.status_code == 403
    assert "127.0.0.1" in answer.text


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:8642"])
def test_pages_of_other_origins_are_refused(origin: str) -> None:
    answer = friend(server()).post("/api/checks", json=order(), headers={"origin": origin})
    assert answer.status_code == 403


def test_requests_that_another_site_starts_are_refused() -> None:
    client = friend(server())
    assert client.get("/", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.get("/", headers={"sec-fetch-site": "same-site"}).status_code == 403
    assert client.get("/", headers={"sec-fetch-site": "same-origin"}).status_code == 200


def test_its_own_page_may_ask() -> None:
    answer = friend(server()).post("/api/checks", json=order(), headers={"origin": "http://127.0.0.1:8642"})
    assert answer.status_code == 202


def test_a_form_of_another_page_cannot_send_an_order() -> None:
    answer = friend(server()).post("/api/checks", content="{}", headers={"content-type": "text/plain"})
    assert answer.status_code == 415


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites() -> None:
    guard = server()
    given = stranger(guard).get(guard.address).headers["set-cookie"]
    assert "HttpOnly" in given
    assert "SameSite=strict" in given


def test_the_cookie_is_sent_to_no_other_server_of_this_machine() -> None:
    """Cookies know no ports, only folders."""
    guard = server()
    given = stranger(guard).get(guard.address).headers["set-cookie"]
    assert f"Path={guard.folder};" in given
    assert guard.folder != server().folder


def test_a_report_cannot_act_in_the_name_of_the_server() -> None:
    client = friend(server())
    id_ = client.post("/api/checks", json=order()).json()["id"]
    finished(client, id_)
    policy = client.get(f"/api/checks/{id_}/report").headers["content-security-policy"]
    assert policy == "sandbox allow-scripts; frame-ancestors 'self'"


def test_no_address_is_told_to_other_servers() -> None:
    guard = server()
    for answer in (stranger(guard).get(guard.address), friend(guard).get("/"), stranger(guard).get("/")):
        assert answer.headers["referrer-policy"] == "no-referrer"
