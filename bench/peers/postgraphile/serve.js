// PostGraphile over a database, as its own documentation starts it: `node serve.js <database> <port>`.
import { createServer } from 'node:http'
import { grafserv } from 'postgraphile/grafserv/node'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'

const [database, port] = process.argv.slice(2)
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: database, schemas: ['public'], poolConfig: { max: 10 } })],
  grafserv: { port: Number(port), graphiql: false, watch: false },
  grafast: { explain: false },
  // Records are found and sorted by columns without an index here.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
})
const server = createServer()
const served = instance.createServ(grafserv)
await served.addTo(server)
server.listen(Number(port))
