/** Other words that people use for a command, by its id: the palette finds it by them. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  'entity.addAttribute': ['new column', 'new field', 'create property'],
  'entity.addRelationship': ['new foreign key', 'reference', 'relate', 'association', 'link'],
  'entity.delete': ['remove', 'drop table'],
  'entity.deleteExtend': ['remove parent', 'stop inheriting'],
  'entity.discard': ['undo all', 'revert', 'reset'],
  'entity.export': ['download', 'json'],
  'entity.extend': ['inherit', 'parent', 'subclass'],
  'entity.new': ['create', 'add table', 'class'],
  'entity.save': ['store', 'write'],
  'entity.versions': ['history', 'release', 'snapshot'],
  'manifest.addSubManifest': ['include', 'nest'],
  'configuration.addQuery': ['new query', 'sum', 'count', 'group by'],
  'configuration.discard': ['undo all', 'revert', 'reset'],
  'configuration.save': ['store', 'write'],
  'manifest.configure': ['settings', 'api', 'connection', 'scopes', 'rest'],
  'manifest.delete': ['remove'],
  'manifest.export': ['download', 'sql', 'ddl'],
  'manifest.manageEntity': ['add entity', 'members'],
  'manifest.new': ['create', 'add model', 'schema'],
  'manifest.rename': ['name', 'edit', 'call'],
  'manifest.versions': ['history', 'release', 'snapshot'],
  'page.keys': ['help', 'hotkeys'],
  'page.logout': ['sign out', 'log off', 'exit'],
  'page.search': ['find', 'filter tree'],
  'page.theme.dark': ['appearance', 'colours', 'night'],
  'page.theme.light': ['appearance', 'colours', 'day'],
  'page.theme.system': ['appearance', 'colours', 'automatic'],
  'tab.close': ['leave'],
  'tab.rename': ['name', 'edit'],
  'toolbar.exportSchema': ['download', 'sql', 'ddl', 'export', 'postgresql', 'mysql', 'oracle', 'sql server', 'hsqldb'],
  'toolbar.import': ['upload', 'load', 'cdm', 'zip', 'json'],
}

export function synonymsOf(commandId: string): readonly string[] {
  return synonyms[commandId] ?? []
}
