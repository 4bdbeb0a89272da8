// For tests only: H2 stands in for Oracle and SQL Server.

/** A script for Oracle with the function that H2 does not have. */
export function oracleForH2(script: string): string {
  return `CREATE ALIAS TO_BINARY_DOUBLE AS 'double parse(String text) { return Double.parseDouble(text); }';\n${script}`
}

/** A script for SQL Server without what H2 does not know: settings, extended properties, collations, filtered indexes, functions. */
export function mssqlForH2(script: string): string {
  const known = script
    .replace('SET QUOTED_IDENTIFIER ON;', '')
    .replace(/^EXEC sys\.sp_addextendedproperty .*;$/gm, '')
    .replace(/^(CREATE UNIQUE INDEX .*) WHERE \[.*\] IS NOT NULL;$/gm, '$1;')
    .replaceAll(' COLLATE Latin1_General_100_BIN2', '')
    .replace(/NCHAR\((?=1[03]\))/g, 'CHAR(')
    .replaceAll("CAST(N'' AS NVARCHAR(MAX))", "N''")
    .replace(/'(?:[^']|'')*'|\[(?:[^\]]|\]\])*\]/g, piece => (piece.startsWith('[') ? inDoubleQuotes(piece) : piece))
    // Its bits are no numbers.
    .replace(/" BIT (?=DEFAULT|NULL|NOT NULL)/g, '" TINYINT ')
  const functions = [
    `CREATE ALIAS ISJSON AS 'int isJson(String text) { return 1; }';`,
    `CREATE ALIAS DATALENGTH AS 'int length(String text) { return text.length() * 2; }';`,
  ]
  return `${functions.join('\n')}\n${known}`
}

/** H2 reads brackets as quotes, but not a closing bracket or a quote between them. */
function inDoubleQuotes(bracketed: string): string {
  return `"${bracketed.slice(1, -1).replaceAll(']]', ']').replaceAll('"', '""')}"`
}
