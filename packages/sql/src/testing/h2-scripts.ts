// For tests only: H2 emulates Oracle and SQL Server.

/** Adds a function that H2 lacks to a script for Oracle, and replaces a type, and indexes of expressions by those of the columns. */
export function oracleForH2(script: string): string {
  const plain = script.replace(/^CREATE UNIQUE INDEX .* \(CASE WHEN .* END\);$/gm, statement =>
    statement.replace(/CASE WHEN (?:"[^"]*" IS NOT NULL(?: AND )?)+ THEN ("[^"]*") END/g, '$1'),
  )
  const zoned = plain
    .replaceAll('(6) WITH LOCAL TIME ZONE', '(6) WITH TIME ZONE')
    .replaceAll('SYS_EXTRACT_UTC(SYSTIMESTAMP)', 'LOCALTIMESTAMP')
  return `CREATE ALIAS TO_BINARY_DOUBLE AS 'double parse(String text) { return Double.parseDouble(text); }';\n${zoned}`
}

/**
 * Removes or replaces what H2 does not support in a script for SQL Server: settings, extended properties, collations,
 * filtered indexes, functions, a type.
 */
export function mssqlForH2(script: string): string {
  const supported = script
    .replace('SET QUOTED_IDENTIFIER ON;', '')
    .replace(/^EXEC sys\.sp_addextendedproperty .*;$/gm, '')
    .replace(/^(CREATE UNIQUE INDEX .*) WHERE \[.*\] IS NOT NULL;$/gm, '$1;')
    .replaceAll(' COLLATE Latin1_General_100_BIN2', '')
    .replace(/NCHAR\((?=1[03]\))/g, 'CHAR(')
    .replaceAll('DATETIMEOFFSET(6)', 'TIMESTAMP(6) WITH TIME ZONE')
    .replace(/SYS(?:UTC)?DATETIME\(\)/g, 'CURRENT_TIMESTAMP')
    .replaceAll("CAST(N'' AS NVARCHAR(MAX))", "N''")
    .replace(/'(?:[^']|'')*'|\[(?:[^\]]|\]\])*\]/g, piece => (piece.startsWith('[') ? inDoubleQuotes(piece) : piece))
    // BIT of H2 accepts no numeric defaults.
    .replace(/" BIT (?=DEFAULT|NULL|NOT NULL)/g, '" TINYINT ')
  const functions = [
    `CREATE ALIAS ISJSON AS 'int isJson(String text) { return 1; }';`,
    `CREATE ALIAS DATALENGTH AS 'int length(String text) { return text.length() * 2; }';`,
  ]
  return `${functions.join('\n')}\n${supported}`
}

/** H2 reads brackets as quotes, but accepts neither a closing bracket nor a quote between them. */
function inDoubleQuotes(bracketed: string): string {
  return `"${bracketed.slice(1, -1).replaceAll(']]', ']').replaceAll('"', '""')}"`
}
