/** What the query builder itself writes as text: a column's name (quoted), and directions. */
export const builderSql: readonly string[] = ['?', 'asc', 'desc']

/**
 * Every text of SQL that a query may hold beside what the query builder makes: each was looked at, and reaches no other table or
 * row than the query around it is held to. `?` stands for a value or for a part that the builder made.
 */
export const reviewedSql: ReadonlySet<string> = new Set([
  ...builderSql,
  // Locks: an update that changes nothing, and a count of updates.
  'name',
  'revision + 1',
  'id_block.next_id + ?',
  // The organisation's own scopes before those of the library; both tables are joined by the builder.
  'coalesce(entity_scopes.scopes, entity.scopes)',
  'octet_length(body)',
  'case when sum(octet_length(scopes)) over () <= ? then scopes end',
  // What stands where, of the rows that the query around it is bound to, in one text.
  "case when entity.import_id = 0 then entity.id || ' ' || entity.content_hash || ' ' || entity.path end",
  'case manifest_member.entity_organisation_id when 0 then ? else ? end',
  'string_agg(?, ?)',
  'string_agg(?, ? order by ?, ?)',
  'concat_ws(?, entity.id, entity.name, entity.path)',
  'concat_ws(?, entity_reference.from_id, entity_reference.to_id, entity_reference.foreign_key, entity_reference.target)',
  // Counts rows for the planner, and answers none.
  'analyze entity, content, entity_column, entity_reference, manifest_member',
  // The store's clock, and an instant so long after it.
  "cast(unixepoch('subsec') * 1000 as integer)",
  'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)',
  '? + ?',
  // The next number of all jobs: nothing of another organisation's job but how many there were.
  '(select coalesce(max(sequence), 0) + 1 from job)',
  // Conditions on columns of the table that the query around them is bound to.
  'resolved = 0',
  "type <> 'EXCLUSIVE'",
  '(?, ?) > (?, ?)',
  // Another beginning of a path, and what lies below one.
  'substr(path, 1, ?) = ?',
  '? || substr(path, ?)',
  '? || substr(folder, ?)',
  // The index of names knows no organisations: it only narrows entities that are bound beside it.
  'entity.id in (select rowid from entity_search where entity_search match ?)',
  // How many of all names there are in that index, up to a number that the query says: only the way of searching depends on it.
  'select count(*) as count from (select 1 from entity_search where entity_search match ? limit ?)',
  'instr(entity.name_folded, ?) > 0',
  'lower(user_email) = ?',
  // The day of an instant.
  'substr(at, 1, ?)',
  // What the index from names to attributes holds.
  'length(entity_column.name) <= 200',
  // Searches: the pattern is a value; whole names come first, then beginnings.
  'substr(entity.name_folded, 1, ?) = ?',
  'case when substr(name_folded, 1, ?) = ? then 1 else 2 end',
  'case when entity.name_folded = ? then 0 when ? then 1 else 2 end',
  String.raw`case when ? = ? then 0 when ? like ? escape '\' then 1 else 2 end`,
  String.raw`? like ? escape '\'`,
  String.raw`user_name_folded like ? escape '\'`,
  String.raw`(entity.path like ? escape '\' or lower(entity.path) like ? escape '\')`,
])
