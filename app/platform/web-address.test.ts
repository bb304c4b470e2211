import { expect, test } from "vitest";
import { completeAddress, webAddress } from "./web-address.ts";

test.each([
  ["https://hall.example/book", "https://hall.example/book"],
  ["http://hall.example", "http://hall.example/"],
  ["HTTPS://Hall.example", "https://hall.example/"],
  ["javascript:alert(1)", null],
  [" javascript:alert(1)", null],
  ["data:text/html,hi", null],
  ["geo:60.18,24.83", null],
  ["hall.example", null],
  ["//hall.example", null],
  ["", null],
  [null, null],
])("%s leads to %s", (text, address) => {
  expect(webAddress(text)).toBe(address);
});

test.each([
  ["hall.example", "https://hall.example"],
  ["www.hall.example/book?day=1#top", "https://www.hall.example/book?day=1#top"],
  ["hall-2.example", "https://hall-2.example"],
  ["töölö.example", "https://töölö.example"],
  ["https://hall.example", "https://hall.example"],
  ["javascript:alert.x", "javascript:alert.x"],
  ["localhost", "localhost"],
  ["our hall.example", "our hall.example"],
  ["!hall.example", "!hall.example"],
  ["hall!.example", "hall!.example"],
  ["hall..example", "hall..example"],
  ["/hall.example", "/hall.example"],
  ["", ""],
])("%j is completed to %j", (typed, address) => {
  expect(completeAddress(typed)).toBe(address);
});
