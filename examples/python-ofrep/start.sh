#!/bin/sh
# Installs what is missing beside this file, and starts the program.
set -e
cd "$(dirname "$0")"
[ -d .venv ] || python3 -m venv .venv
.venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt
exec .venv/bin/python main.py
