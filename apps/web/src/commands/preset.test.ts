import { describe, expect, it } from 'vitest'
import type { Tab } from '../workbench/documents.ts'
import { manifestOfDocument, manifestOfNode } from './preset.ts'

const shop = { id: 7, name: 'Shop' }
const order = { tabId: 'entity:1', kind: 'entity', id: 1, name: 'Order', preview: false } as const
const tab = (document: Partial<Tab>): Tab => ({ ...order, ...document })
const ofShop = () => shop

describe('the manifest that buttons of the page preselect', () => {
  it('is that of the shown document', () => {
    expect(manifestOfDocument(tab({ kind: 'manifest', ...shop }), ofShop)).toEqual(shop)
    expect(manifestOfDocument(tab({ kind: 'configuration', id: 7, name: 'Shop Configuration' }), ofShop)).toEqual(shop)
    expect(manifestOfDocument(tab({ path: 'user-defined/Shop/Order' }), ofShop)).toEqual(shop)
  })
  it('is unknown for predefined documents, logs, and entities of no or several manifests', () => {
    expect(manifestOfDocument(tab({ path: 'predefined/core/Account' }), ofShop)).toBeNull()
    expect(manifestOfDocument(tab({ kind: 'logs', name: 'Audit Logs' }), ofShop)).toBeNull()
    expect(manifestOfDocument(tab({}), () => null)).toBeNull()
    expect(manifestOfDocument(null, ofShop)).toBeNull()
  })
  it('is the innermost one of the selected tree node', () => {
    expect(manifestOfNode('custom>manifests>manifest:7')).toBe(7)
    expect(manifestOfNode('custom>manifests>manifest:7>manifests>manifest:9>entities')).toBe(9)
    expect(manifestOfNode('org:ACME>manifests>manifest:7>entities>entity:3')).toBe(7)
    for (const id of [null, 'custom>manifests', 'custom>entities>entity:3', 'standard>manifests>folder:a>manifest:2'])
      expect(manifestOfNode(id)).toBeNull()
  })
})
