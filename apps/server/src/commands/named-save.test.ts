import { newUid } from '@cadmus/model/uid'
import { expect, it } from 'vitest'
import { describeOnBothStores, startConsole } from '../testing/console.ts'
import { organisationId as idOf } from '../testing/entities.ts'
import { organisationEntry } from './audit.ts'
import { type Change, transact } from './change.ts'
import { storedOperation } from './named-save.ts'

describeOnBothStores('A repeated request', store => {
  it('gets the result of a concurrent one that is stored between its queries', async () => {
    const server = await startConsole({ store })
    const organisationId = await idOf(server)
    const change: Change = {
      store: server.context.store,
      organisationId,
      actor: { userId: 'designer', userName: 'Designer', userEmail: '' },
      isAdmin: false,
      operationId: newUid(),
      requestDigests: ['digest'],
    }
    const organisation = { id: organisationId, code: 'ACME', name: 'Acme' }
    const entry = organisationEntry(organisation, { action: 'UPDATE', description: '', restoration: {} })
    let concurrent: Promise<void> | undefined
    const db = server.context.store.of(organisationId).withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        await (concurrent ??= transact(change, 1, async (_tx, work) => work.audit(entry)))
        return result
      },
    })
    expect(await storedOperation(db, change)).toBe(true)
    await server.stop()
  })
})
