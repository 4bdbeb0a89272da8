import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeArchive } from '@cadmus/formats/archive'
import { downloadImportReport, importManifest } from '@cadmus/model/contract/manifest-transfer'
import { runMaintenance } from '../jobs/job-recovery.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

const lines = 12_000

describeOnBothStores.whenProving('Decisions §10: the report of an import is complete', store => {
  let console: TestConsole
  let designer: ConsoleClient
  const key = randomUUID()
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  function folder(): Uint8Array {
    const groups = Array.from({ length: lines }, (_, index) => `=group\u202E${index}`)
    const hasAttributes = [{ name: 'oddId', purpose: 'identifiedBy', dataType: 'string' }, ...groups]
    const entities = [{ entityName: 'Odd', entityPath: 'Odd.cdm.json/Odd' }]
    return writeArchive(
      new Map([
        ['odd.manifest.cdm.json', JSON.stringify({ manifestName: 'Odd', entities, subManifests: [] })],
        ['Odd.cdm.json', JSON.stringify({ definitions: [{ entityName: 'Odd', hasAttributes }] })],
      ]),
    )
  }

  it('the answer has the first lines and the total, the download has all', async () => {
    const answer = await designer.call(importManifest, {
      query: { key },
      files: { manifestFile: { name: 'odd.zip', bytes: folder() } },
    })
    expect(answer.key).toBe(key)
    expect(answer.reportLines).toBeGreaterThanOrEqual(lines)
    expect(answer.report).toHaveLength(1000)
    const { bytes } = await designer.download(downloadImportReport, { params: { key } })
    const csv = new TextDecoder().decode(bytes)
    expect(csv.trimEnd().split('\r\n')).toHaveLength(answer.reportLines + 1)
    expect(csv).toContain(`=group‹U+202E›${lines - 1}`)
    expect(csv).not.toMatch(/\u202E|(?:^|,)[=+@-]/m)
    const text = await designer.download(downloadImportReport, { params: { key }, query: { format: 'text' } })
    expect(new TextDecoder().decode(text.bytes).trimEnd().split('\n')).toHaveLength(answer.reportLines)
  })

  it('the download is streamed page by page', async () => {
    const answer = await designer.send(downloadImportReport, { params: { key } })
    expect(answer.headers.get('content-length')).toBeNull()
    const reader = answer.body?.getReader()
    const first = await reader?.read()
    expect(new TextDecoder().decode(first?.value).length).toBeLessThan(1_000_000)
    let length = first?.value?.length ?? 0
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) length += part.value.length
    const { bytes } = await designer.download(downloadImportReport, { params: { key } })
    expect(length).toBe(bytes.length)
  })

  it('an import of a caller who disconnects stores nothing', async () => {
    for (let i = 0; i < 40; i++) {
      const answer = await designer.send(downloadImportReport, { params: { key } })
      await answer.body?.cancel()
    }
    const { bytes } = await designer.download(downloadImportReport, { params: { key } })
    expect(bytes.length).toBeGreaterThan(lines)
  })

  it('the report of an import is hidden from other organisations and imports', async () => {
    const other = await console.as('admin')
    await expect(other.refusal(downloadImportReport, { params: { key } })).resolves.toMatchObject({ status: 404 })
    const unknown = designer.refusal(downloadImportReport, { params: { key: randomUUID() } })
    await expect(unknown).resolves.toMatchObject({ status: 404 })
  })

  it('the report of an import is deleted with its job', async () => {
    const { store: open } = console.context
    await runMaintenance(console.context)
    await designer.download(downloadImportReport, { params: { key } })
    await open.shared.deleteFrom('job').where('job_key', '=', key).execute()
    await runMaintenance(console.context)
    const organisations = await open.shared.selectFrom('organisation').select('id').execute()
    for (const { id } of organisations) {
      const left = await open.of(id).selectFrom('import_report').selectAll().where('organisation_id', '=', id).execute()
      expect(left).toEqual([])
    }
  })
})
