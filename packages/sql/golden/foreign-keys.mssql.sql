-- Database schema of Shop for SQL Server

SET QUOTED_IDENTIFIER ON;

CREATE TABLE [OrderLine] (
  [orderNo] BIGINT NOT NULL,
  [lineNo] SMALLINT NOT NULL,
  [sku] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [shelf] BIGINT NOT NULL,
  CONSTRAINT [pk_OrderLine] PRIMARY KEY ([lineNo], [orderNo]),
  CONSTRAINT [uq_OrderLine_sku_shelf] UNIQUE ([sku], [shelf])
);

CREATE TABLE [Note] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [line] SMALLINT NULL,
  [place] BIGINT NULL,
  [text] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NULL,
  [order] BIGINT NULL,
  [article] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [mistyped] BIGINT NULL,
  [partial] BIGINT NULL,
  CONSTRAINT [pk_Note] PRIMARY KEY ([id]),
  CONSTRAINT [ck_Note_line] CHECK ([line] IN (1, 2))
);

CREATE TABLE [Remark] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [line] SMALLINT NULL,
  [place] BIGINT NULL,
  [text] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NULL,
  [order] BIGINT NULL,
  [article] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [mistyped] BIGINT NULL,
  [partial] BIGINT NULL,
  CONSTRAINT [pk_Remark] PRIMARY KEY ([id]),
  CONSTRAINT [ck_Remark_line] CHECK ([line] IN (1, 2))
);

CREATE INDEX [ix_Note_order] ON [Note] ([order]);

CREATE INDEX [ix_Note_article] ON [Note] ([article]);

CREATE INDEX [ix_Note_mistyped] ON [Note] ([mistyped]);

CREATE INDEX [ix_Note_partial] ON [Note] ([partial]);

CREATE INDEX [ix_Remark_order] ON [Remark] ([order]);

CREATE INDEX [ix_Remark_article] ON [Remark] ([article]);

CREATE INDEX [ix_Remark_mistyped] ON [Remark] ([mistyped]);

CREATE INDEX [ix_Remark_partial] ON [Remark] ([partial]);

ALTER TABLE [Note] ADD CONSTRAINT [fk_Note_order] FOREIGN KEY ([line], [order]) REFERENCES [OrderLine] ([lineNo], [orderNo]) ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE [Note] ADD CONSTRAINT [fk_Note_article] FOREIGN KEY ([article], [place]) REFERENCES [OrderLine] ([sku], [shelf]);

ALTER TABLE [Remark] ADD CONSTRAINT [fk_Remark_order] FOREIGN KEY ([line], [order]) REFERENCES [OrderLine] ([lineNo], [orderNo]) ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE [Remark] ADD CONSTRAINT [fk_Remark_article] FOREIGN KEY ([article], [place]) REFERENCES [OrderLine] ([sku], [shelf]);

-- 12 notes: differences of this schema from the model.
-- Note.text: 'text' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Note.mistyped: 'text' of the foreign key 'mistyped' has another type than 'OrderLine.lineNo': it has no constraint.
-- Note.partial: 'OrderLine' has no key and no unique group of exactly the attributes that 'partial' refers to: it has no constraint.
-- Remark.text: 'text' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Remark.mistyped: 'text' of the foreign key 'mistyped' has another type than 'OrderLine.lineNo': it has no constraint.
-- Remark.partial: 'OrderLine' has no key and no unique group of exactly the attributes that 'partial' refers to: it has no constraint.
-- OrderLine.sku: The length of 'sku' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- OrderLine.sku: 'sku' is unique, and this database treats values that differ only in trailing spaces as equal.
-- Note.text: The length of 'text' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Remark.text: The length of 'text' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Note.article: Deleting what 'article' refers to is refused: SQL Server allows no cycles and no second path of cascading deletes.
-- Remark.article: Deleting what 'article' refers to is refused: SQL Server allows no cycles and no second path of cascading deletes.
