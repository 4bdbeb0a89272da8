// For tests only: what a script creates that expects that it may exist already.

/** A condition of SQL Server before a statement, and a block of Oracle that ignores errors with some codes. */
const condition = /^IF (.*)\n(?=CREATE|ALTER|EXEC)/gm
const block =
  /^BEGIN\nEXECUTE IMMEDIATE ((?:[^;]|;(?!\nEXCEPTION))*);\nEXCEPTION WHEN OTHERS THEN IF SQLCODE (?:<> -\d+|NOT IN \(-\d+(?:, -\d+)*\)) THEN RAISE; END IF;\nEND;\n\/$/gm
const literal = /q'(.)(.*?)\1'/gs

/** The statements without conditions and blocks, and queries with the conditions of SQL Server; without what removes things. */
export function unguarded(script: string, database: 'oracle' | 'mssql'): { sql: string; conditions: string[] } {
  if (database === 'mssql') {
    const conditions = Array.from(script.matchAll(condition), ([, text]) => `SELECT 1 AS a WHERE ${text};`)
    return { sql: withoutDrops(script.replaceAll(condition, '')), conditions }
  }
  const sql = script.replaceAll(
    block,
    (_whole, texts: string) => `${Array.from(texts.matchAll(literal), ([, , text]) => text).join('')};`,
  )
  return { sql: withoutDrops(sql), conditions: [] }
}

function withoutDrops(script: string): string {
  return script.replaceAll(/^(?:DROP TABLE .*|ALTER TABLE .* DROP CONSTRAINT .*);$/gm, '')
}
