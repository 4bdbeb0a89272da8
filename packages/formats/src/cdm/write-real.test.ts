import { describe, expect, it } from 'vitest'
import { contractBreaches } from '../testing/contract.ts'
import { expectRoundTrip, definedNames, differingDocuments } from '../testing/exported.ts'
import { placedModel } from '../placed-model.ts'
import { realModel } from '../testing/real-models.ts'
import { hasSharedCdm, sharedFolder } from '../testing/shared-cdm.ts'
import { readCdm } from './read.ts'
import { isWritable } from './write-traits.ts'
import { writeCdm } from './write.ts'
import { traitNames } from '@cadmus/model/trait-names'

const folders = ['example-export', 'customer-insights-journeys', 'core-slice', 'core-applicationCommon-full'] as const

describe.skipIf(!hasSharedCdm)('round trip of real CDM folders', () => {
  it.each(folders)('%s: export after import complies with the contract and is imported unchanged', name => {
    const { read } = expectRoundTrip(placedModel(realModel(name)))
    expect(read.report.filter(({ level }) => level === 'error')).toEqual([])
  })

  it.each(['example-export', 'core-slice'])(
    '%s: the documents without the sidecar give the same documents again',
    name => {
      const { files } = writeCdm(placedModel(realModel(name)))
      const bare = new Map([...files].filter(([path]) => path.endsWith('.cdm.json')))
      const again = writeCdm(placedModel(readCdm(bare))).files
      expect(differingDocuments(bare, again)).toEqual([])
    },
  )

  it('the example folder of the contract complies with it and equals the export of its model', () => {
    const decoder = new TextDecoder()
    const example = new Map([...sharedFolder('example-export')].map(([path, bytes]) => [path, decoder.decode(bytes)]))
    expect(contractBreaches(example, definedNames)).toEqual([])
    const { files } = writeCdm(placedModel(realModel('example-export')))
    for (const [path, text] of example) {
      // The model does not keep reference names; versions come from the exporting caller.
      const normalized = text
        .replace(/"name": "(author|book)"/g, '"name": "$1Id"')
        .replace(/ *"documentVersion": .*\n/g, '')
      const written = JSON.parse(files.get(path) ?? 'null')
      const expected = JSON.parse(normalized)
      if (path.endsWith('.manifest.cdm.json')) expected.subManifests ??= []
      else if (!text.includes('"displayName": "Renewed loan"')) delete expected.definitions[0].displayName
      expect({ path, written }).toEqual({ path, written: expected })
    }
  })

  it('every trait that the export may write is defined in the standard documents', () => {
    const written = traitNames.filter(isWritable)
    expect(written.length).toBeGreaterThan(250)
    expect(written.filter(name => !definedNames.traits.has(name))).toEqual([])
  })
})
