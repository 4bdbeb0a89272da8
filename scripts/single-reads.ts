import { parseAst } from 'rolldown/parseAst'

/** Methods of a locator that read what it shows at this moment. */
const READS = new Set([
  'allInnerTexts',
  'allTextContents',
  'ariaSnapshot',
  'boundingBox',
  'count',
  'evaluate',
  'evaluateAll',
  'getAttribute',
  'innerHTML',
  'innerText',
  'inputValue',
  'isChecked',
  'isDisabled',
  'isEditable',
  'isEnabled',
  'isHidden',
  'isVisible',
  'textContent',
])

/** Functions that wait for the state that they read, or that walk through it. */
const WAITING = new Set(['missedByArrows', 'missedByTab', 'optionsOf', 'pickerOptions'])

interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

/**
 * Places where a test expects something of a value that it read once: the page may not have drawn it yet, so that the test fails
 * on a slow machine. `readers` are functions of other files that read.
 */
export function singleReads(file: string, source: string, readers: ReadonlySet<string> = new Set()): string[] {
  const program = parsed(source)
  const reading = new Set([...readers, ...readersIn(program, readers)])
  return scopesOf(program).flatMap(scope => {
    const nodes = nodesOf(scope)
    const values = new Set(nodes.flatMap(node => namesFrom(node, reading)))
    return nodes
      .filter(isExpect)
      .map(call => ({ start: call.start, given: childrenOf(call['arguments']) }))
      .filter(
        ({ given }) =>
          given.flatMap(nodesOf).some(node => isRead(node, reading)) ||
          given.flatMap(valuesOf).some(node => isName(node) && values.has(node.name)),
      )
      .map(
        ({ start }) => `${file}:${source.slice(0, start).split('\n').length}: expects of a value that was read once.`,
      )
  })
}

/** The functions of a source that read what a page shows. */
export function readersOf(source: string): Set<string> {
  return readersIn(parsed(source), new Set())
}

function parsed(source: string): Node {
  const program: unknown = parseAst(source, { lang: 'ts' })
  if (!isNode(program)) throw new Error('The source has no program.')
  return program
}

function readersIn(program: Node, known: ReadonlySet<string>): Set<string> {
  const functions = allNodes(program).flatMap(node => {
    const value = node.type === 'FunctionDeclaration' ? node : node['init']
    return isName(node['id']) && isFunction(value) && isReturning(value)
      ? [{ name: node['id'].name, nodes: nodesOf(value) }]
      : []
  })
  const readers = new Set(known)
  for (let before = -1; before !== readers.size;) {
    before = readers.size
    for (const { name, nodes } of functions)
      if (!WAITING.has(name) && nodes.some(node => isRead(node, readers))) readers.add(name)
  }
  return readers
}

function isReturning(node: Node): boolean {
  const isExpression = isNode(node['body']) && node['body'].type !== 'BlockStatement'
  return isExpression || nodesOf(node).some(({ type, argument }) => type === 'ReturnStatement' && isNode(argument))
}

/** `const [a, b] = await …`, if it reads. */
function namesFrom({ type, id, init }: Node, readers: ReadonlySet<string>): string[] {
  if (type !== 'VariableDeclarator' || !isNode(init) || isFunction(init) || !isNode(id)) return []
  return nodesOf(init).some(node => isRead(node, readers))
    ? allNodes(id).flatMap(node => (isName(node) ? node.name : []))
    : []
}

function isRead(node: Node, readers: ReadonlySet<string>): boolean {
  const { type, callee } = node
  if (type !== 'CallExpression' || !isNode(callee)) return false
  if (isName(callee)) return readers.has(callee.name)
  const { object, property } = callee
  // A script of the page itself may measure or prepare anything.
  const isScript = isName(object) && object.name === 'page'
  return isName(property) && READS.has(property.name) && !isScript
}

/** `expect(…)` and `expect.soft(…)`, but not `expect.poll(…)`. */
function isExpect({ type, callee }: Node): boolean {
  if (type !== 'CallExpression' || !isNode(callee)) return false
  if (isName(callee)) return callee.name === 'expect'
  return isName(callee['object'], 'expect') && isName(callee['property'], 'soft')
}

/** The program and its functions, each of which `nodesOf` reads without the functions in it. */
function scopesOf(program: Node): Node[] {
  return [program, ...allNodes(program).filter(isFunction)]
}

/** A node and the nodes in it, without those of functions in it. */
function nodesOf(node: Node): Node[] {
  const inner = Object.values(node).flatMap(childrenOf)
  return [node, ...inner.flatMap(child => (isFunction(child) ? [] : nodesOf(child)))]
}

/** A node and the nodes in it, without those of functions and of calls that it waits for. */
function valuesOf(node: Node): Node[] {
  if (node.type === 'AwaitExpression' || isFunction(node)) return []
  return [node, ...Object.values(node).flatMap(childrenOf).flatMap(valuesOf)]
}

function allNodes(node: Node): Node[] {
  return [node, ...Object.values(node).flatMap(childrenOf).flatMap(allNodes)]
}

function childrenOf(value: unknown): Node[] {
  return (Array.isArray(value) ? value : [value]).filter(isNode)
}

function isFunction(value: unknown): value is Node {
  return isNode(value) && /Function/.test(value.type) && !value.type.startsWith('TS')
}

function isName(value: unknown, name?: string): value is Node & { readonly name: string } {
  return isNode(value) && value.type === 'Identifier' && (name === undefined || value['name'] === name)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
