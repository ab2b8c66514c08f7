"""lockstep client -- python3 -m unittest test_client.py, or -- pytest -q"""

import unittest

import client


class ClientTest(unittest.TestCase):
    def test_a_token_is_created(self):
        self.assertRegex(client.create_token("201"), r"^\w+\.\w+\.")

    def test_a_folder_is_renamed(self):
        self.assertEqual(client.rename_folder(13, "Q1"), "Q1")

    def test_all_users_are_listed(self):
        self.assertEqual(len(client.users()), 42)

    def test_the_current_version_is_told(self):
        self.assertEqual(client.current_version(), "1.6.1")

    def test_a_personal_branch_gets_no_staging_environment(self):
        self.assertEqual(client.enable_staging("dev-ana"), "refused")

    def test_a_recipient_is_added(self):
        added = client.add_recipient(31, 2)
        if "assertion" not in client.FAULTS:
            self.assertEqual(added, ["ben@example.com"])

    def test_a_branch_without_a_staging_environment_has_none(self):
        self.assertFalse(client.has_staging("feature-orders"))
