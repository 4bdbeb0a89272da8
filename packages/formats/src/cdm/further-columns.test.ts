import { aResolvedModel } from '@cadmus/model/testing/builders'
import { orderLines } from '@cadmus/model/testing/order-lines'
import { expect, it } from 'vitest'
import { expectRoundTrip } from '../testing/exported.ts'
import { placedModel } from '../placed-model.ts'
import { readCdm } from './read.ts'

it('a CDM folder has the main column of a foreign key in the document, and the pairs of all in the sidecar', () => {
  const { files } = expectRoundTrip(aResolvedModel(Object.values(orderLines)))
  expect(files.get('Shipment.cdm.json')).not.toContain('alsoBy')
  const documents = new Map([...files].filter(([path]) => path.endsWith('.cdm.json')))
  const plain = placedModel(readCdm(documents)).entities.find(({ name }) => name === 'Shipment')
  expect(plain?.entityAttributes).toMatchObject([
    { foreignKeyTypeAttribute: 'orderId', associatedEntityTypeAttribute: 'orderId', alsoBy: [] },
  ])
  expect(plain?.typeAttributes.map(({ name }) => name)).toContain('lineNo')
})
