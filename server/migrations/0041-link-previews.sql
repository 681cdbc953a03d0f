-- What is shown below a message for its links: made by the server for the first one, or given by a bot. It is no
-- part of the message itself. `image_key` is an object of our storage and wins over an address elsewhere.
create table link_previews (
  message_id bigint not null,
  position int not null,
  url text not null,
  title text not null,
  description text not null,
  image_url text,
  image_key text,
  primary key (message_id, position)
);
create index link_previews_image on link_previews (image_key) where image_key is not null;
