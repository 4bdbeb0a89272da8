// SAP CAP over the shop's tables, through views that bear its names: `node serve.js <database> <port>`.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { Client } = require('pg')

const [database, port] = process.argv.slice(2)
const { hostname, port: databasePort, pathname, username } = new URL(database)

async function serve() {
  const client = new Client({ connectionString: database })
  await client.connect()
  await client.query(readFileSync(join(__dirname, 'views.sql'), 'utf8'))
  await client.end()
  process.chdir(__dirname)
  const credentials = { host: hostname, port: Number(databasePort), database: pathname.slice(1), user: username, password: '' }
  process.env.CDS_REQUIRES_DB_CREDENTIALS = JSON.stringify(credentials)
  process.env.NODE_ENV = 'production'
  const cds = require('@sap/cds')
  await cds.server({ port: Number(port) })
}

void serve()
