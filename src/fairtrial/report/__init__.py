"""Evidence made readable: terminal views and JSON documents."""
