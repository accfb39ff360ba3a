"""Modern Realm, held against its rules."""
