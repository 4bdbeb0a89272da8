import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deletionOf } from '../api/logs.ts'
import { queryClient } from '../api/query-client.ts'
import { administratorOf, scopeStore } from '../api/scope.ts'
import { renameManifest } from '../features/manifest/RenameManifestDialog.tsx'
import { questionStore } from '../workbench/confirm.ts'
import { openIn, workbench } from '../workbench/page-workbench.ts'
import { deleteEntityAfterQuestion } from './deletion.ts'
import { uploadWithConfirmation } from './upload-package.ts'

const lossOfData = {
  message: 'Data would be lost. To allow this, upload or start it with allowDataLoss=true.',
  code: 'instance_loses_data',
  schema: { steps: [], count: 0, lossDigest: '0'.repeat(64) },
}

let calls: { method: string; organisation: string | null }[] = []
let refusal: object | null = null

const administer = (administered: string | null) => scopeStore.setState({ administered })
/** The organisations of all changes so far. */
const changed = () => calls.filter(({ method }) => method !== 'GET').map(({ organisation }) => organisation)

async function confirmNext() {
  await expect.poll(() => questionStore.getState().question).not.toBeNull()
  questionStore.getState().question?.answer('confirm')
}

beforeEach(() => {
  calls = []
  refusal = null
  workbench.getState().reset()
  vi.stubGlobal('fetch', async (_: string, { method = 'GET', headers }: RequestInit) => {
    calls.push({ method, organisation: new Headers(headers).get('X-Admin-Organisation') })
    return new Response(JSON.stringify(refusal ?? {}), { status: refusal ? 409 : 200 })
  })
  administer('ACME')
})
afterEach(() => {
  administer(null)
  queryClient.clear()
  vi.unstubAllGlobals()
})

describe('an action that goes on after another organisation was opened', () => {
  it('a deletion is sent to the organisation that it was requested in', async () => {
    const deleting = deleteEntityAfterQuestion({ id: 7, name: 'Order', path: 'user-defined/Order' }, 'Deleted.')
    administer('GLOBEX')
    await confirmNext()
    await deleting
    expect(changed()).toEqual(['ACME'])
  })

  it('an upload repeated after its confirmation sends the package of the original organisation', async () => {
    refusal = lossOfData
    const upload = { name: 'orders', version: '1.0.0', state: 'STARTED' as const }
    const uploading = uploadWithConfirmation({ instanceUrl: 'http://instance' }, upload)
    await expect.poll(() => questionStore.getState().question).not.toBeNull()
    expect(questionStore.getState().question?.text).toBe('Data would be lost.')
    administer('GLOBEX')
    refusal = null
    await confirmNext()
    await confirmNext()
    await uploading.catch(() => null)
    expect(changed()).toEqual(['ACME', 'ACME'])
  })

  it('Undo of a rename goes to the organisation of the manifest', async () => {
    vi.stubGlobal('fetch', async (_: string, { method = 'GET', headers }: RequestInit) => {
      calls.push({ method, organisation: new Headers(headers).get('X-Admin-Organisation') })
      return new Response(JSON.stringify({ message: 'Refused.' }), { status: 409 })
    })
    const named = { id: 7, name: 'Shop', path: 'user-defined/Shop', etag: '"1"', scope: administratorOf('ACME') }
    administer('GLOBEX')
    await renameManifest(named, 'Store').catch(() => null)
    expect(changed()).toEqual(['ACME'])
  })

  it('the author of a deletion is read in the organisation of the document', async () => {
    administer('GLOBEX')
    await deletionOf('entity', 7, administratorOf('ACME')).catch(() => null)
    expect(calls.map(({ organisation }) => organisation)).toEqual(['ACME'])
  })

  it('opens nothing it has created', () => {
    const show = openIn(administratorOf('ACME'))
    administer('GLOBEX')
    show({ kind: 'entity', id: 7, name: 'Order' })
    expect(workbench.getState().tabs).toEqual([])
  })
})
