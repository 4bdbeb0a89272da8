import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Inserts customers into the embedded database of the package `shop`, which must not be open for writing. */
export function fillCustomers(dataDir: string, rows: number): void {
  const database = new DatabaseSync(join(dataDir, 'databases', 'shop', 'embedded.sqlite'))
  database.exec(
    `INSERT INTO "Customer" ("name", "level", "active", "credit")
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
    SELECT 'Customer ' || i, 'plain', 1, '0.00' FROM n`,
  )
  database.close()
}
