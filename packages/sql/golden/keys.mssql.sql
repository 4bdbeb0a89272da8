-- Database schema of Shop for SQL Server

SET QUOTED_IDENTIFIER ON;

CREATE TABLE [Composite] (
  [a] NVARCHAR(110) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [b] NVARCHAR(110) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [c] NVARCHAR(110) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [d] NVARCHAR(110) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [e] BIGINT NOT NULL,
  CONSTRAINT [pk_Composite] PRIMARY KEY ([a], [b], [c], [d], [e]),
  CONSTRAINT [uq_Composite_d] UNIQUE ([d])
);

CREATE TABLE [LongKey] (
  [key] NVARCHAR(450) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [x] NVARCHAR(450) COLLATE Latin1_General_100_BIN2 NOT NULL,
  CONSTRAINT [pk_LongKey] PRIMARY KEY ([key]),
  CONSTRAINT [uq_LongKey_x] UNIQUE ([x])
);

CREATE TABLE [Child] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [d] NVARCHAR(110) COLLATE Latin1_General_100_BIN2 NULL,
  [a] NVARCHAR(110) COLLATE Latin1_General_100_BIN2 NULL,
  [long] NVARCHAR(450) COLLATE Latin1_General_100_BIN2 NULL,
  CONSTRAINT [pk_Child] PRIMARY KEY ([id])
);

CREATE TABLE [Keyless] (
  [value] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NULL
);

CREATE TABLE [ObjectKey] (
  [id] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL CHECK (ISJSON(N'[' + [id] + N']') = 1 AND ISJSON(N'{"v":' + [id] + N'}') = 1)
);

CREATE TABLE [DateKey] (
  [day] DATE NOT NULL,
  CONSTRAINT [pk_DateKey] PRIMARY KEY ([day])
);

CREATE TABLE [ChosenKey] (
  [level] BIGINT IDENTITY(1,1) NOT NULL,
  CONSTRAINT [pk_ChosenKey] PRIMARY KEY ([level])
);

CREATE INDEX [ix_Child_d] ON [Child] ([d]);

CREATE INDEX [ix_Child_a] ON [Child] ([a]);

CREATE INDEX [ix_Child_long] ON [Child] ([long]);

ALTER TABLE [Child] ADD CONSTRAINT [fk_Child_d] FOREIGN KEY ([d]) REFERENCES [Composite] ([d]);

ALTER TABLE [Child] ADD CONSTRAINT [fk_Child_long] FOREIGN KEY ([long]) REFERENCES [LongKey] ([key]);

-- 30 notes: differences of this schema from the model.
-- Composite.a: 'a' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Composite.b: 'b' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Composite.c: 'c' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Composite.d: 'd' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Child.a: 'a' refers to 'Composite.a', which is neither the primary key nor unique: the column has no constraint.
-- Keyless: 'Keyless' has no primary key: its table has none.
-- ObjectKey.id: 'id' cannot be a key with its data type: the table has no primary key.
-- ChosenKey.level: The default value of 'level' is left out: its values are generated.
-- ChosenKey.level: The choices of 'level' are not checked: its values are generated.
-- Composite.a: 'a' is part of a key: it takes at most 110 characters on this database.
-- Composite.b: 'b' is part of a key: it takes at most 110 characters on this database.
-- Composite.c: 'c' is part of a key: it takes at most 110 characters on this database.
-- Composite.d: 'd' is part of a key: it takes at most 110 characters on this database.
-- Composite.a: The length of 'a' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Composite.a: 'a' is unique, and this database treats values that differ only in trailing spaces as equal.
-- Composite.b: The length of 'b' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Composite.b: 'b' is unique, and this database treats values that differ only in trailing spaces as equal.
-- Composite.c: The length of 'c' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Composite.c: 'c' is unique, and this database treats values that differ only in trailing spaces as equal.
-- Composite.d: The length of 'd' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Composite.d: 'd' is unique, and this database treats values that differ only in trailing spaces as equal.
-- LongKey.key: 'key' is part of a key: it takes at most 450 characters on this database.
-- LongKey.x: 'x' is part of a key: it takes at most 450 characters on this database.
-- LongKey.key: The length of 'key' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LongKey.key: 'key' is unique, and this database treats values that differ only in trailing spaces as equal.
-- LongKey.x: The length of 'x' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LongKey.x: 'x' is unique, and this database treats values that differ only in trailing spaces as equal.
-- Child.d: 'd' is part of a key: it takes at most 110 characters on this database.
-- Child.a: 'a' is part of a key: it takes at most 110 characters on this database.
-- Child.long: 'long' is part of a key: it takes at most 450 characters on this database.
