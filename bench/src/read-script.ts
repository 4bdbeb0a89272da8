import { readScript } from '@cadmus/sql/read/script'

// Processor time of reading a script of 10 MB with 5,000 tables, and of the same script with its keys before its tables.

const text = "character varying(40) DEFAULT 'x'::character varying NOT NULL"

function table(index: number): string {
  const columns = Array.from({ length: 22 }, (_, at) => `    column_${at} ${text},\n`).join('')
  return `CREATE TABLE app.table_${index} (\n    id bigint NOT NULL,\n${columns}    parent_id bigint\n);
COMMENT ON TABLE app.table_${index} IS 'about it';
ALTER TABLE app.table_${index} RENAME COLUMN column_2 TO second;
`
}

function keys(index: number): string {
  return `ALTER TABLE ONLY app.table_${index} ADD CONSTRAINT table_${index}_pkey PRIMARY KEY (id);
CREATE INDEX ix_${index} ON app.table_${index} USING btree (column_1);
ALTER TABLE ONLY app.table_${index} ADD CONSTRAINT table_${index}_fk FOREIGN KEY (parent_id) REFERENCES app.table_${(index * 7) % 5000}(id);
`
}

function read(name: string, script: string): void {
  const before = process.cpuUsage()
  const { tables } = readScript(script)
  const { user, system } = process.cpuUsage(before)
  const size = (script.length / 1_000_000).toFixed(1)
  console.log(`${name}: ${size} MB, ${tables.length} tables, ${((user + system) / 1_000_000).toFixed(2)} s`)
}

const numbers = Array.from({ length: 5000 }, (_, index) => index)
const [tables, later] = [numbers.map(table).join(''), numbers.map(keys).join('')]
read('in order', tables + later)
read('keys first', later + tables)
