-- Names of video rooms had 32 random bits, which somebody patient can guess; a random UUID has 122.
update chats set meet_slug =
  regexp_replace(meet_slug, '-[0-9a-f]{8}$', '') || '-' || replace(gen_random_uuid()::text, '-', '');
