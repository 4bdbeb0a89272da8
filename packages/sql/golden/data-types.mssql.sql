-- Database schema of Shop for SQL Server

SET QUOTED_IDENTIFIER ON;

CREATE TABLE [Everything] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [title] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 DEFAULT N'it''s a \ default' NOT NULL,
  [code] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [nickname] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NULL,
  [alias] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NULL,
  [short] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 DEFAULT N'short' NOT NULL,
  [tooLong] NVARCHAR(3) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [face] NVARCHAR(1) COLLATE Latin1_General_100_BIN2 NULL,
  [long] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NULL CHECK (DATALENGTH([long]) / 2 <= 5000),
  [status] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 DEFAULT N'open' NOT NULL,
  [answer] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 DEFAULT N'' NULL,
  [guid] UNIQUEIDENTIFIER DEFAULT N'6f9619ff-8b86-d011-b42d-00c04fc964ff' NULL,
  [prose] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 DEFAULT N'once' NULL,
  [whole] BIGINT DEFAULT 9223372036854775807 NOT NULL,
  [whole16] SMALLINT DEFAULT -32768 NOT NULL,
  [whole32] INT NULL,
  [rating] BIGINT NULL,
  [state] BIGINT NULL,
  [price] DECIMAL(12, 2) DEFAULT 0.1 NOT NULL,
  [ratio] FLOAT(53) DEFAULT 0.0015 NOT NULL,
  [weight] FLOAT(53) NULL,
  [farAway] FLOAT(53) DEFAULT -1.25e+300 NULL,
  [scaled] DECIMAL(38, 38) DEFAULT 0.1 NULL,
  [manyDigits] DECIMAL(38, 10) NOT NULL,
  [exact] DECIMAL(38, 10) NULL,
  [huge] DECIMAL(38, 18) NULL,
  [active] BIT DEFAULT 1 NOT NULL,
  [hidden] BIT NULL,
  [happened] DATETIME2(6) DEFAULT '2026-02-03T04:05:06' NOT NULL,
  [day] DATE DEFAULT '2024-02-29' NOT NULL,
  [noDay] DATE NULL,
  [hour] TIME(6) DEFAULT '23:59:00' NULL,
  [data] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 DEFAULT N'{"a": "it''s"}' NULL CHECK (ISJSON(N'[' + [data] + N']') = 1 AND ISJSON(N'{"v":' + [data] + N'}') = 1),
  [json] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NULL CHECK (ISJSON(N'[' + [json] + N']') = 1 AND ISJSON(N'{"v":' + [json] + N'}') = 1),
  [document] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NULL,
  [bytes] VARBINARY(MAX) NULL,
  [uniqueObject] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NULL CHECK (ISJSON(N'[' + [uniqueObject] + N']') = 1 AND ISJSON(N'{"v":' + [uniqueObject] + N'}') = 1),
  CONSTRAINT [pk_Everything] PRIMARY KEY ([id]),
  CONSTRAINT [uq_Everything_code] UNIQUE ([code]),
  CONSTRAINT [ck_Everything_status] CHECK ([status] IN (N'open', N'won''t', N'back\slash', N'line' + NCHAR(10) + N'break', N'R&D ' + N'$' + N'(x)') AND [status] NOT LIKE N'% '),
  CONSTRAINT [ck_Everything_answer] CHECK ([answer] IN (N'', N'yes', N'no') AND [answer] NOT LIKE N'% '),
  CONSTRAINT [ck_Everything_rating] CHECK ([rating] IN (1, 2, 3))
);

CREATE UNIQUE INDEX [uq_Everything_nickname] ON [Everything] ([nickname]) WHERE [nickname] IS NOT NULL;

CREATE INDEX [ix_Everything_alias] ON [Everything] ([alias]);

CREATE INDEX [ix_Everything_rating] ON [Everything] ([rating]);

EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N'Holds one attribute of each kind: it''s long, has a second line & a \ backslash.', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'Everything';

EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N'A code; GO -- not a comment', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'Everything', @level2type = N'COLUMN', @level2name = N'code';

-- 25 notes: differences of this schema from the model.
-- Everything.code: 'code' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Everything.nickname: 'nickname' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Everything.alias: 'alias' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Everything.tooLong: The default value of 'tooLong' does not fit its column: it is left out.
-- Everything.whole32: The default value of 'whole32' does not fit its column: it is left out.
-- Everything.noDay: The default value of 'noDay' does not fit its column: it is left out.
-- Everything.uniqueObject: 'uniqueObject' cannot be unique or indexed with its data type: it is neither.
-- Everything.state: The choices of 'state' do not fit its data type: they are not checked.
-- Everything.face: The default value of 'face' does not fit its column: it is left out.
-- Everything.long: 'long' is stored as text with a checked length on this database.
-- Everything.scaled: 'scaled' is stored with precision 38 and scale 38 on this database.
-- Everything.manyDigits: 'manyDigits' is stored with precision 38 and scale 10 on this database.
-- Everything.manyDigits: The default value of 'manyDigits' does not fit its column: it is left out.
-- Everything.exact: 'exact' is stored with precision 38 and scale 10 on this database.
-- Everything.huge: 'huge' is stored with precision 38 and scale 18 on this database.
-- Everything.long: 'long' is too long for an index: it gets none.
-- Everything.code: The length of 'code' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Everything.code: 'code' is unique, and this database treats values that differ only in trailing spaces as equal.
-- Everything.nickname: The length of 'nickname' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Everything.nickname: 'nickname' is unique, and this database treats values that differ only in trailing spaces as equal.
-- Everything.alias: The length of 'alias' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Everything.short: The length of 'short' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Everything.tooLong: The length of 'tooLong' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Everything.face: The length of 'face' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Everything.long: The length of 'long' is counted in UTF-16 units on this database: an emoji counts as two characters.
