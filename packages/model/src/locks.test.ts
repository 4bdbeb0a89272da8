import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import * as locks from './locks.ts'

const own: locks.EntityState = { isDefault: false, type: 'EXCLUSIVE', currentVersion: '1.1.0', latestVersion: '1.1.0' }
const old = { ...own, currentVersion: '1.0.0' }
const template = { ...own, type: 'TEMPLATE' } as const
const external = { ...own, type: 'CADMUS' } as const
const core = { ...own, isDefault: true }
const foreign = { ...own, isForeign: true }

const allowed = { allowed: true }
const refused = (reason: string) => ({ allowed: false, reason })
const core_ = refused('Predefined content is read-only.')
const old_ = refused('Only the latest version can be edited.')
const template_ = refused('A template entity is read-only.')
const external_ = refused('An external-identity entity is read-only.')
const foreign_ = refused('This belongs to another organisation.')

describe('entity locks', () => {
  it(
    'name and description are read-only for old versions, templates, external and default entities',
    holds('E4.1', 'E4.2', 'E4.3', 'E4.4'),
    () => {
      expect([own, old, template, external, core, foreign].map(locks.mayEditEntity)).toEqual([
        allowed,
        old_,
        template_,
        external_,
        core_,
        foreign_,
      ])
    },
  )

  it('add, extend and delete are disabled on locked entities', holds('E4.8', 'E4.9', 'E4.10', 'E4.13', 'E1.7'), () => {
    for (const may of [locks.mayEditAttributes, locks.mayDeleteEntity]) {
      expect([own, old, template, external, core].map(may)).toEqual([allowed, old_, template_, external_, core_])
    }
  })

  it('the version field is read-only for TEMPLATE and CADMUS', holds('E4.5'), () => {
    expect([own, old, core, template, external].map(locks.mayChooseVersion)).toEqual([
      allowed,
      allowed,
      allowed,
      template_,
      external_,
    ])
  })

  it(
    'Manage Versions and Delete are disabled for template and external-identity entities',
    holds('E4.11', 'E4.12'),
    () => {
      expect([own, old, template, external, core].map(locks.mayManageVersions)).toEqual([
        allowed,
        allowed,
        template_,
        external_,
        core_,
      ])
      expect(locks.mayDeleteEntity(template)).toEqual(template_)
    },
  )

  it('operation scopes are always editable, but not those of another organisation', holds('E4.7'), () => {
    expect([own, old, template, external, core, foreign].map(locks.mayEditScopes)).toEqual([
      allowed,
      allowed,
      allowed,
      allowed,
      allowed,
      foreign_,
    ])
  })

  it('a locked entity is saved only if nothing but scopes changed', holds('E4.15'), () => {
    expect(locks.maySaveEntity(old, { onlyScopes: true })).toEqual(allowed)
    expect(locks.maySaveEntity(old, { onlyScopes: false })).toEqual(old_)
    expect(locks.maySaveEntity(own, { onlyScopes: false })).toEqual(allowed)
  })

  it('Reload Entity is for administrators', holds('E6.2'), () => {
    expect([true, false].map(isAdmin => locks.mayReloadEntity(core, { isAdmin }))).toEqual([true, false])
    expect(locks.mayReloadEntity(own, { isAdmin: true })).toBe(false)
  })
})

describe('manifest locks', () => {
  it('editing is locked in old versions and in the default manifest', holds('M4.4', 'M4.5', 'M4.8'), () => {
    for (const may of [locks.mayEditManifest, locks.mayRemoveMember, locks.mayConfigureManifest]) {
      expect([own, old, core, foreign].map(may)).toEqual([allowed, old_, core_, foreign_])
    }
  })

  it('version management and delete are disabled for the default manifest', holds('M4.6', 'M4.7'), () => {
    for (const may of [locks.mayManageManifestVersions, locks.mayDeleteManifest]) {
      expect([own, old, core].map(may)).toEqual([allowed, allowed, core_])
    }
    const unexported = refused('Predefined manifests cannot be exported.')
    expect([own, old, core].map(locks.mayExportManifest)).toEqual([allowed, allowed, unexported])
  })
})

it('the latest or only version cannot be deleted, and without version management none can', () => {
  const existing = ['1.0.9', '1.0.10']
  expect(locks.mayDeleteVersion('1.0.10', existing, { allowed: true })).toEqual(
    refused('The latest version cannot be deleted.'),
  )
  expect(locks.mayDeleteVersion('1.0.9', ['1.0.9'], { allowed: true })).toEqual(
    refused('The latest version cannot be deleted.'),
  )
  expect(locks.mayDeleteVersion('1.0.9', existing, { allowed: true })).toEqual(allowed)
  expect(locks.mayDeleteVersion('1.0.9', existing, locks.mayManageVersions(core))).toEqual(core_)
})
