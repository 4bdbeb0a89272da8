// Blanks before a word are those of its line: with line breaks among them, a text of many empty lines takes minutes.

/** A table, or what else stands at the start of a line of DBML. */
const dbml = /^[\t ]*(?:table|project|enum)\b[^\n\r;]*\{/imu
const sql = /^[\t ]*create\s+(?:(?:global|local|temporary|temp|unlogged|column|row)\s+)*table\b/imu

export function isSql(text: string): boolean {
  return sql.test(text)
}

/** Whether a text is a model in DBML or SQL. */
export function isModelText(text: string): boolean {
  return dbml.test(text) || isSql(text)
}
