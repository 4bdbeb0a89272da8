-- Database schema of Shop for SQL Server

SET QUOTED_IDENTIFIER ON;

CREATE TABLE [select] (
  [from] BIGINT IDENTITY(1,1) NOT NULL,
  [where] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [rowid] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [ROWID2] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  CONSTRAINT [pk_select] PRIMARY KEY ([from])
);

CREATE TABLE [Robert"); DROP TABLE "select"; --] (
  [ключ] BIGINT IDENTITY(1,1) NOT NULL,
  [a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_a829f899] BIGINT NULL,
  [a`b] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [a]]b] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [a"b] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [a'b] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [a\b] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [a_GO_b_8b6cea06] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [_(path) & more_c1027626] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [😀] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [👍🏽] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [naïve] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [naive] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [xmin] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [ROWID] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [db_row_id] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [__9f6f2892] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_66e2c12b] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_4dce38ab] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [choice] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NOT NULL,
  CONSTRAINT [pk_Robert"); DROP TABLE "select"; --] PRIMARY KEY ([ключ]),
  CONSTRAINT [uq_Robert"); DROP TABLE "select"; --_a name that goes on and on a name that goes on and on a name that goes on and on a_dc8f2977] UNIQUE ([a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_66e2c12b]),
  CONSTRAINT [ck_Robert"); DROP TABLE "select"; --_choice] CHECK ([choice] IN (N'''; DROP TABLE x; --', N'😀', N'\') AND [choice] NOT LIKE N'% ')
);

CREATE TABLE [_temporary_438dcb5d] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  CONSTRAINT [pk_#temporary] PRIMARY KEY ([id])
);

CREATE TABLE [pg_class] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [temporaryId] BIGINT NULL,
  CONSTRAINT [pk_pg_class] PRIMARY KEY ([id])
);

CREATE TABLE [a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_d9e77d16] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  CONSTRAINT [pk_a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name t_b33b6e52] PRIMARY KEY ([id])
);

CREATE TABLE [a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_b3e502ad] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [twinId] BIGINT NULL,
  CONSTRAINT [pk_a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name t_8d38f3e9] PRIMARY KEY ([id])
);

CREATE TABLE [表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  CONSTRAINT [pk_表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表] PRIMARY KEY ([id])
);

CREATE TABLE [-- x] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  CONSTRAINT [pk_-- x] PRIMARY KEY ([id])
);

CREATE INDEX [ix_Robert"); DROP TABLE "select"; --_a name that goes on and on a name that goes on and on a name that goes on and on a_5be89ff0] ON [Robert"); DROP TABLE "select"; --] ([a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_a829f899]);

CREATE INDEX [ix_Robert"); DROP TABLE "select"; --_a name that goes on and on a name that goes on and on a name that goes on and on a_50feeb42] ON [Robert"); DROP TABLE "select"; --] ([a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_4dce38ab]);

CREATE INDEX [ix_pg_class_temporaryId] ON [pg_class] ([temporaryId]);

CREATE INDEX [ix_a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name t_2dea8bc5] ON [a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_b3e502ad] ([twinId]);

ALTER TABLE [Robert"); DROP TABLE "select"; --] ADD CONSTRAINT [fk_Robert"); DROP TABLE "select"; --_a name that goes on and on a name that goes on and on a name that goes on and on a_0b8b56b4] FOREIGN KEY ([a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_a829f899]) REFERENCES [select] ([from]);

ALTER TABLE [pg_class] ADD CONSTRAINT [fk_pg_class_temporaryId] FOREIGN KEY ([temporaryId]) REFERENCES [_temporary_438dcb5d] ([id]);

ALTER TABLE [a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_b3e502ad] ADD CONSTRAINT [fk_a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name t_a1393921] FOREIGN KEY ([twinId]) REFERENCES [a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_d9e77d16] ([id]);

EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N'''; DROP TABLE "select"; -- */   ‮ 😀', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'Robert"); DROP TABLE "select"; --';

EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and…', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'Robert"); DROP TABLE "select"; --', @level2type = N'COLUMN', @level2name = N'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_4dce38ab';

-- 16 notes: differences of this schema from the model.
-- Robert )  DROP TABLE  select   -.a name that goes on and on a name that goes on and on a name: 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and    a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on one' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Robert )  DROP TABLE  select   -.a name that goes on and on a name that goes on and on a name: 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and    a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on two' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Robert )  DROP TABLE  select   -.a name that goes on and on a name that goes on and on a name: 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and   t goes on and on a name that goes on and on a name that goes on and on three' is written as 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_a829f899' on this database.
-- Robert )  DROP TABLE  select   -.a‹U+000A›GO‹U+000A›b: 'a‹U+000A›GO‹U+000A›b' is written as 'a_GO_b_8b6cea06' on this database.
-- Robert )  DROP TABLE  select   -. (path)   more: ' (path)   more' is written as '_(path)   more_c1027626' on this database.
-- Robert )  DROP TABLE  select   -.‹U+0007›: '‹U+0007›' is written as '__9f6f2892' on this database.
-- Robert )  DROP TABLE  select   -.a name that goes on and on a name that goes on and on a name: 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and   hat goes on and on a name that goes on and on a name that goes on and on one' is written as 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_66e2c12b' on this database.
-- Robert )  DROP TABLE  select   -.a name that goes on and on a name that goes on and on a name: 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and   hat goes on and on a name that goes on and on a name that goes on and on two' is written as 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_4dce38ab' on this database.
--  temporary: ' temporary' is written as '_temporary_438dcb5d' on this database.
-- a name that goes on and on a name that goes on and on a name: 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and    that goes on and on a name that goes on and on a name that goes on and on A' is written as 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_d9e77d16' on this database.
-- a name that goes on and on a name that goes on and on a name: 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and    that goes on and on a name that goes on and on a name that goes on and on B' is written as 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that_b3e502ad' on this database.
-- Robert )  DROP TABLE  select   -: The description of 'Robert )  DROP TABLE  select   -' has characters that this database or its tools do not support: they are replaced.
-- Robert )  DROP TABLE  select   -.a name that goes on and on a name that goes on and on a name: The description of 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a na   that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on two' is longer than this database allows: it is shortened.
-- Robert )  DROP TABLE  select   -.a name that goes on and on a name that goes on and on a name: The length of 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name th    that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on one' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Robert )  DROP TABLE  select   -.a name that goes on and on a name that goes on and on a name: 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and   s on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on one' is unique, and this database treats values that differ only in trailing spaces as equal.
-- Robert )  DROP TABLE  select   -.a name that goes on and on a name that goes on and on a name: The length of 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name th    that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on two' is counted in UTF-16 units on this database: an emoji counts as two characters.
