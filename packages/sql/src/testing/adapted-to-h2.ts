// For tests only: H2 stands in for Oracle and SQL Server.

/** A script for Oracle with the function that H2 does not have. */
export function oracleForH2(script: string): string {
  return `CREATE ALIAS TO_BINARY_DOUBLE AS 'double parse(String text) { return Double.parseDouble(text); }';\n${script}`
}

/** A script for SQL Server without what H2 does not know: settings, extended properties, filtered indexes, ISJSON, NCHAR. */
export function mssqlForH2(script: string): string {
  const known = script
    .replace('SET QUOTED_IDENTIFIER ON;', '')
    .replace(/^EXEC sys\.sp_addextendedproperty .*;$/gm, '')
    .replace(/^(CREATE UNIQUE INDEX .*) WHERE \[.*\] IS NOT NULL;$/gm, '$1;')
    .replaceAll('NCHAR(10)', 'CHAR(10)')
    .replace(/'(?:[^']|'')*'|\[(?:[^\]]|\]\])*\]/g, piece => (piece.startsWith('[') ? inDoubleQuotes(piece) : piece))
  return `CREATE ALIAS ISJSON AS 'int isJson(String text) { return 1; }';\n${known}`
}

/** H2 reads brackets as quotes, but not a closing bracket or a quote between them. */
function inDoubleQuotes(bracketed: string): string {
  return `"${bracketed.slice(1, -1).replaceAll(']]', ']').replaceAll('"', '""')}"`
}
