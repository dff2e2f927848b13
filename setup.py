"""The stub that older tools look for; everything stands in setup.cfg."""

from setuptools import setup

setup()
