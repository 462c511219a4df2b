"""The pytest plugin. It loads fairtrial only where a test asks for it, so that other test runs start as fast."""
