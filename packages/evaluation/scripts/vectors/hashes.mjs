import { hash } from './builders.mjs'

const texts = ['', 'a', 'ab', 'abc', 'abcd', 'abcde', 'test', 'hello', 'hello, world', 'Hello, world!']
texts.push(
  'The quick brown fox jumps over the lazy dog',
  'é',
  'ß',
  'aé',
  'abé',
  'abcé',
  '字',
  '漢字',
  'ユーザー',
  'a字b',
)
texts.push(
  '😀',
  'a😀',
  'ab😀',
  'abc😀',
  '👩‍👩‍👧',
  'e\u0301',
  '\u0000',
  '\u007f\u0080',
  '\u07ff\u0800',
  '\uffff\u{10000}',
  '\u{10ffff}',
)

export const hashes = {
  about: 'murmur3_x86_32, seed 0, over the UTF-8 bytes of text, as an unsigned integer',
  vectors: texts.map((entry) => ({ text: entry, hash: hash(entry) })),
}
