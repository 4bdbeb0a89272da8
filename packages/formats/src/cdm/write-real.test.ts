import { describe, expect, it } from 'vitest'
import { contractBreaches } from '../testing/contract.ts'
import { expectRoundTrip, knownNames, writtenOtherwise } from '../testing/exported.ts'
import { placedModel } from '../testing/placed-model.ts'
import { realModel } from '../testing/real-models.ts'
import { hasSharedCdm, sharedFolder } from '../testing/shared-cdm.ts'
import { readCdm } from './read.ts'
import { mayBeWritten } from './write-traits.ts'
import { writeCdm } from './write.ts'
import { traitNames } from '@cadmus/model/trait-names'

const folders = ['example-export', 'customer-insights-journeys', 'core-slice', 'core-applicationCommon-full'] as const

describe.skipIf(!hasSharedCdm)('real folders go out again', () => {
  it.each(folders)(
    '%s: imported, exported and imported it is the same, and the export keeps the contract',
    { timeout: 120_000 },
    name => {
      const { read } = expectRoundTrip(placedModel(realModel(name)))
      expect(read.report.filter(({ level }) => level === 'error')).toEqual([])
    },
  )

  it.each(['example-export', 'core-slice'])('%s: its documents alone give the same documents again', name => {
    const { files } = writeCdm(placedModel(realModel(name)))
    const bare = new Map([...files].filter(([path]) => path.endsWith('.cdm.json')))
    const again = writeCdm(placedModel(readCdm(bare))).files
    expect(writtenOtherwise(bare, again)).toEqual([])
  })

  it('the folder that the contract gives as its example keeps it, and is what is written of its model', () => {
    const decoder = new TextDecoder()
    const example = new Map([...sharedFolder('example-export')].map(([path, bytes]) => [path, decoder.decode(bytes)]))
    expect(contractBreaches(example, knownNames)).toEqual([])
    const { files } = writeCdm(placedModel(realModel('example-export')))
    for (const [path, text] of example) {
      // References may have names of their own, which a model does not keep; versions are told by whoever exports.
      const known = text.replace(/"name": "(author|book)"/g, '"name": "$1Id"').replace(/ *"documentVersion": .*\n/g, '')
      const written = JSON.parse(files.get(path) ?? 'null')
      const expected = JSON.parse(known)
      if (path.endsWith('.manifest.cdm.json')) expected.subManifests ??= []
      else if (!text.includes('"displayName": "Renewed loan"')) delete expected.definitions[0].displayName
      expect({ path, written }).toEqual({ path, written: expected })
    }
  })

  it('every trait that may be written is one of the standard documents', () => {
    const written = traitNames.filter(mayBeWritten)
    expect(written.length).toBeGreaterThan(250)
    expect(written.filter(name => !knownNames.traits.has(name))).toEqual([])
  })
})
