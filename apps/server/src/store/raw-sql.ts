/** Raw fragments of the query builder itself: a quoted column name, and sort directions. */
export const builderSql: readonly string[] = ['?', 'asc', 'desc']

/**
 * All raw SQL fragments allowed in queries. Each was reviewed to access no other table or row than the query around it.
 * `?` represents a value or a part made by the builder.
 */
export const reviewedSql: ReadonlySet<string> = new Set([
  ...builderSql,
  // Locks: an update without effect, and a revision counter.
  'name',
  'revision + 1',
  'id_block.next_id + ?',
  // The organisation's own scopes take precedence; the builder joins both tables.
  'coalesce(entity_scopes.scopes, entity.scopes)',
  'octet_length(body)',
  'octet_length(edits)',
  'case when sum(octet_length(scopes)) over () <= ? then scopes end',
  // Aggregates rows of the tables bound by the outer query.
  "case when entity.import_id = 0 then entity.id || ' ' || entity.content_hash || ' ' || entity.path end",
  'case manifest_member.entity_organisation_id when 0 then ? else ? end',
  'string_agg(?, ?)',
  'string_agg(?, ? order by ?, ?)',
  'concat_ws(?, entity.id, entity.name, entity.path)',
  'concat_ws(?, entity_reference.from_id, entity_reference.to_id, entity_reference.foreign_key, entity_reference.target)',
  // Updates planner statistics; returns no rows.
  'analyze entity, content, entity_column, entity_reference, manifest_member',
  // The database clock, and an offset to it.
  "cast(unixepoch('subsec') * 1000 as integer)",
  'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)',
  '? + ?',
  // The next job number; reveals only the number of jobs.
  '(select coalesce(max(sequence), 0) + 1 from job)',
  // Conditions on columns of tables bound by the outer query.
  'resolved = 0',
  "type <> 'EXCLUSIVE'",
  '(?, ?) > (?, ?)',
  // Replacing the prefix of a path, and matching one.
  'substr(path, 1, ?) = ?',
  '? || substr(path, ?)',
  '? || substr(folder, ?)',
  // The name index has no organisations: it only narrows entities that are bound separately.
  'entity.id in (select rowid from entity_search where entity_search match ?)',
  // Counts matches in the index up to a limit; affects only the search strategy.
  'select count(*) as count from (select 1 from entity_search where entity_search match ? limit ?)',
  'instr(entity.name_folded, ?) > 0',
  'lower(user_email) = ?',
  // The date of an ISO time.
  'substr(at, 1, ?)',
  // The condition of the partial index on attribute names.
  'length(entity_column.name) <= 200',
  // Searches: the pattern is a value; exact matches come first, then prefixes.
  'substr(entity.name_folded, 1, ?) = ?',
  'case when substr(name_folded, 1, ?) = ? then 1 else 2 end',
  'case when entity.name_folded = ? then 0 when ? then 1 else 2 end',
  String.raw`case when ? = ? then 0 when ? like ? escape '\' then 1 else 2 end`,
  String.raw`? like ? escape '\'`,
  String.raw`user_name_folded like ? escape '\'`,
  String.raw`(entity.path like ? escape '\' or lower(entity.path) like ? escape '\')`,
])
