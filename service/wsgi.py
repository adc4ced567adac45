"""The application for a WSGI server: `gunicorn -c python:service.server service.wsgi:app`."""

from service.bootstrap import create_app

app = create_app()
