// Small archives of each format, made by hand so that they have what their readers look at: members that are stored and
// packed, folders, links, long names, records of extended headers, sizes told behind the content.

import { deflateRawSync, gzipSync } from 'node:zlib'

const members = [['a', 'content\n'], ['a/', ''], ['b/c.txt', 'line\n'.repeat(40)], ['caf\u00e9/\ud55c', '\ud83d\ude42'], ['../x', 'outside'], [`${'long/'.repeat(30)}name`, 'deep']]

/** @type {Record<string, Buffer>} */
export const archives = {
  ...Object.fromEntries([[], ...members.map((member) => [member]), members].flatMap((list, at) => [
    [`stored-${at}.zip`, zip(list, 0)],
    [`packed-${at}.zip`, zip(list, 8)],
    [`plain-${at}.tar`, tar(list)],
    [`packed-${at}.tar.gz`, gzipSync(tar(list))],
  ])),
  'behind.zip': zip(members, 8, 8),
  'comment.zip': zip(members.slice(0, 2), 8, 0, 'a remark'),
  'links.tar': Buffer.concat([header('a', 0, '2', 'b/c.txt'), header('b', 0, '1', '../a'), tar(members.slice(2, 3))]),
  'extended.tar': tar(members.slice(0, 1), [record('x', '18 path=b/c/d.txt\n9 size=3\n')]),
  'long-name.tar': tar(members.slice(0, 1), [record('L', `${'name/'.repeat(40)}\0`)]),
  'two-parts.tar.gz': Buffer.concat([gzipSync(tar(members.slice(0, 1)).subarray(0, 700)), gzipSync(tar(members.slice(0, 1)).subarray(700))]),
}

/** @param {string[][]} list @param {number} method 0 stored, 8 deflated @param {number} flags 8: sizes stand behind the content */
function zip(list, method, flags = 0, comment = '') {
  const locals = []
  const directory = []
  let at = 0
  for (const [name, text] of list) {
    const [title, content] = [Buffer.from(name), Buffer.from(text)]
    const packed = method ? deflateRawSync(content) : content
    const sums = numbers([4, crc32(content)], [4, packed.length], [4, content.length])
    const kind = numbers([2, 20], [2, flags | 0x800], [2, method], [4, 0x5a21_8000])
    const lengths = numbers([2, title.length], [2, 0])
    const behind = flags & 8 ? Buffer.concat([numbers([4, 0x0807_4b50]), sums]) : Buffer.alloc(0)
    const local = Buffer.concat([numbers([4, 0x0403_4b50]), kind, flags & 8 ? Buffer.alloc(12) : sums, lengths, title, packed, behind])
    directory.push(numbers([4, 0x0201_4b50], [2, 20]), kind, sums, lengths, numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, at]), title)
    locals.push(local)
    at += local.length
  }
  const listed = Buffer.concat(directory)
  const counts = [[2, 0], [2, 0], [2, list.length], [2, list.length]]
  const end = numbers([4, 0x0605_4b50], ...counts, [4, listed.length], [4, at], [2, comment.length])
  return Buffer.concat([...locals, listed, end, Buffer.from(comment)])
}

/** @param {string[][]} list @param {Buffer[]} before records that tell of the first member */
function tar(list, before = []) {
  const blocks = list.flatMap(([name, text]) => [header(name, Buffer.byteLength(text), name.endsWith('/') ? '5' : '0'), filled(text)])
  return Buffer.concat([...before, ...blocks, Buffer.alloc(1024)])
}

/** A record of its own kind with a text. @param {string} kind @param {string} text */
function record(kind, text) {
  return Buffer.concat([header('././@LongLink', text.length, kind), filled(text)])
}

function header(name, size, kind, link = '') {
  const block = Buffer.alloc(512)
  const octal = (/** @type {number} */ value, /** @type {number} */ digits) => `${value.toString(8).padStart(digits, '0')}\0`
  const parts = [[0, name.slice(-99)], [100, octal(0o644, 7)], [108, octal(0, 7)], [116, octal(0, 7)], [124, octal(size, 11)], [136, octal(0, 11)], [148, '        '], [156, kind], [157, link], [257, 'ustar\u000000']]
  for (const [at, text] of parts) block.write(text, at)
  block.write(octal(block.reduce((sum, byte) => sum + byte, 0), 6), 148)
  return block
}

/** @param {string} text */
function filled(text) {
  const bytes = Buffer.from(text)
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 511)])
}

/** Little-endian. @param {number[][]} list size and value of each */
function numbers(...list) {
  return Buffer.concat(list.map(([size, value]) => {
    const bytes = Buffer.alloc(size)
    bytes.writeUIntLE(value, 0, size)
    return bytes
  }))
}

/** @param {Buffer} bytes */
function crc32(bytes) {
  let sum = ~0
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb8_8320 : 0)
  }
  return ~sum >>> 0
}
