import { describe, expect, it } from 'vitest'
import { cdmFolder, document, entityDocument, entityOf, guided, key, manifest } from '../testing/cdm-folder.ts'
import { readCdm } from './read.ts'

describe('inheritance in CDM folders', () => {
  it('parents outside the manifests are folded into the entity, declared parents are extended with only the differences', () => {
    const model = readCdm(
      cdmFolder({
        'm.manifest.cdm.json': manifest('Model', ['Parent.cdm.json/Parent', 'Child.cdm.json/Child']),
        'Base.cdm.json': entityDocument('Base', [{ name: 'createdOn', dataType: 'dateTime' }]),
        'Parent.cdm.json': entityDocument(
          'Parent',
          [key('id'), { name: 'note', dataType: 'string' }],
          { extendsEntity: 'Base' },
          ['Base.cdm.json'],
        ),
        'Child.cdm.json': entityDocument(
          'Child',
          [
            { name: 'extra', dataType: 'integer' },
            { name: 'note', maximumLength: 20, isNullable: true },
          ],
          { extendsEntity: { entityReference: 'Parent' } },
          ['Parent.cdm.json'],
        ),
      }),
    )
    expect(entityOf(model, 'Parent')).toMatchObject({
      extendsEntity: null,
      typeAttributes: [{ name: 'createdOn' }, { name: 'id' }, { name: 'note' }],
    })
    expect(entityOf(model, 'Child')).toMatchObject({
      extendsEntity: '/Parent.cdm.json/Parent',
      referenceImportPaths: ['cdm:/foundations.cdm.json', 'Parent.cdm.json'],
      typeAttributes: [
        { name: 'note', dataType: 'string', maxLength: 20, nullable: true },
        { name: 'extra', dataType: 'integer' },
      ],
    })
  })

  it('FORMAT §3: names are resolved from the document of the entity; a target derived from the original one is not a difference', () => {
    const model = readCdm(
      cdmFolder({
        'm.manifest.cdm.json': manifest('Model', [
          'core/Account.cdm.json/Account',
          'core/Contact.cdm.json/Contact',
          'sub/Account.cdm.json/Account',
          'sub/Contact.cdm.json/Contact',
          'sub/Other.cdm.json/Other',
        ]),
        'core/Account.cdm.json': entityDocument('Account', [key('accountId'), guided('Contact', 'contactId')], {}, [
          'Contact.cdm.json',
        ]),
        'core/Contact.cdm.json': entityDocument('Contact', [key('contactId')]),
        'sub/Account.cdm.json': entityDocument(
          'Account',
          [{ name: 'more', dataType: 'string' }],
          { extendsEntity: 'base/Account' },
          ['base=/core/Account.cdm.json', 'Contact.cdm.json'],
        ),
        'sub/Contact.cdm.json': entityDocument('Contact', [], { extendsEntity: 'base/Contact' }, [
          'base=/core/Contact.cdm.json',
        ]),
        'sub/Other.cdm.json': document(
          [
            { entityName: 'Other', extendsEntity: 'Account' },
            { entityName: 'Contact', hasAttributes: [key('contactId')] },
          ],
          ['/core/Account.cdm.json'],
        ),
      }),
    )
    const sub = model.entities.find(entity => entity.corpusPath === '/sub/Account.cdm.json/Account')
    expect(sub).toMatchObject({
      extendsEntity: '/core/Account.cdm.json/Account',
      typeAttributes: [{ name: 'more' }],
      entityAttributes: [],
    })
    // Other has its own Contact entity that is not imported, so its inherited reference differs.
    expect(entityOf(model, 'Other').typeAttributes.map(attribute => attribute.name)).toEqual(['contactId'])
  })

  it('groups are inlined, later definitions change earlier ones in place, and removed attributes are left out', () => {
    const model = readCdm(
      cdmFolder({
        'm.manifest.cdm.json': manifest('Model', ['Aa.cdm.json/Aa']),
        'Groups.cdm.json': document([
          { attributeGroupName: 'inner', members: [{ name: 'b', dataType: 'string' }] },
          { attributeGroupName: 'outer', members: ['inner', { name: 'c', dataType: 'string' }] },
        ]),
        'Aa.cdm.json': entityDocument(
          'Aa',
          [
            {
              name: 'aa',
              dataType: 'listLookup',
              resolutionGuidance: { addSupportingAttribute: { name: 'a_display', dataType: 'string' } },
            },
            { attributeGroupReference: 'outer' },
            {
              attributeGroupReference: {
                attributeGroupName: 'inline',
                members: [
                  { name: 'd', dataType: 'string' },
                  { name: 'b', dataType: 'integer' },
                ],
              },
            },
            { name: 'c', dataType: 'string', resolutionGuidance: { removeAttribute: true } },
          ],
          {},
          ['Groups.cdm.json'],
        ),
      }),
    )
    expect(entityOf(model, 'Aa').typeAttributes.map(({ name, dataType }) => `${name} ${dataType}`)).toEqual([
      'aa integer',
      'a_display string',
      'b integer',
      'd string',
    ])
  })

  it('a key restated as hasA by a child is still a key, as a plain attribute and as a reference', () => {
    const model = readCdm(
      cdmFolder({
        'm.manifest.cdm.json': manifest('Model', [
          'Parent.cdm.json/Parent',
          'Child.cdm.json/Child',
          'One.cdm.json/One',
        ]),
        'Parent.cdm.json': entityDocument('Parent', [key('parentId')]),
        'Child.cdm.json': entityDocument(
          'Child',
          [{ name: 'parentId', purpose: 'hasA', dataType: 'entityId' }],
          { extendsEntity: 'Parent' },
          ['Parent.cdm.json'],
        ),
        'One.cdm.json': entityDocument(
          'One',
          [guided('Parent', { name: 'parentId', purpose: 'hasA', dataType: 'entityId' })],
          { extendsEntity: 'Parent' },
          ['Parent.cdm.json'],
        ),
      }),
    )
    expect(entityOf(model, 'Child').typeAttributes).toMatchObject([{ name: 'parentId', purpose: 'identifiedBy' }])
    expect(entityOf(model, 'One').entityAttributes).toMatchObject([
      { foreignKeyTypeAttribute: 'parentId', foreignKeyPurpose: 'identifiedBy' },
    ])
    expect(model.report).toEqual([])
  })

  it.each([
    ['declared', ['Lead.cdm.json/Lead', 'Hot.cdm.json/Hot', 'Hotter.cdm.json/Hotter']],
    ['not declared', ['Hot.cdm.json/Hot', 'Hotter.cdm.json/Hotter']],
  ])('a name that differs only in case from an inherited one is read as that attribute: parent %s', (_, entities) => {
    const model = readCdm(
      cdmFolder({
        'm.manifest.cdm.json': manifest('Model', entities),
        'Lead.cdm.json': entityDocument('Lead', [key('leadId'), { name: 'note', dataType: 'string' }]),
        'Hot.cdm.json': entityDocument(
          'Hot',
          [{ name: 'leadID', purpose: 'hasA', dataType: 'entityId' }],
          { extendsEntity: 'Lead' },
          ['Lead.cdm.json'],
        ),
        'Hotter.cdm.json': entityDocument('Hotter', [], { extendsEntity: 'Hot' }, ['Hot.cdm.json']),
      }),
    )
    const [first] = entityOf(model, 'Hot').typeAttributes
    expect(first).toMatchObject({ name: 'leadID', purpose: 'identifiedBy' })
    expect(entityOf(model, 'Hot').typeAttributes.map(({ name }) => name)).not.toContain('leadId')
    expect(entityOf(model, 'Hotter')).toMatchObject({ extendsEntity: '/Hot.cdm.json/Hot', typeAttributes: [] })
    expect(model.report.filter(line => line.path === 'Hot.cdm.json/Hot')).toEqual([
      {
        level: 'warning',
        kind: 'changed',
        path: 'Hot.cdm.json/Hot',
        message:
          'The inherited name "leadId" and the name "leadID" differ only in case; they were read as one attribute.',
      },
    ])
  })

  it('a renamed inherited attribute counts as renamed, not as omitted', () => {
    const operations = [{ $type: 'renameAttributes', renameFormat: 'my_{m}' }]
    const parent = { extendsEntity: { source: 'Person', operations } }
    const model = readCdm(
      cdmFolder({
        'm.manifest.cdm.json': manifest('Model', ['Person.cdm.json/Person', 'Thing.cdm.json/Thing']),
        'Person.cdm.json': entityDocument('Person', [key('personId')]),
        'Thing.cdm.json': entityDocument('Thing', [], parent, ['Person.cdm.json']),
      }),
    )
    expect(entityOf(model, 'Thing')).toMatchObject({ extendsEntity: null, typeAttributes: [{ name: 'my_personId' }] })
    expect(model.report.map(({ message }) => message)).toEqual([
      'It calls "personId" of "/Person.cdm.json/Person" "my_personId"; it was imported with all its attributes and extends nothing.',
    ])
  })
})
