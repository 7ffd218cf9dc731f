// The firmware as it is, with the example tools of seed 001 and some that return every kind of value.

import { server } from "main";
import { image, ToolError } from "mcp/content";
import { array, integer, number, object, string } from "mcp/schema";

server.addTool(
	"get_current_time",
	"获取当前时间信息,包括日期和时间",
	{ format: string({ enum: ["simple", "detailed"], optional: true, description: "时间格式,simple为简单格式,detailed为详细格式" }) },
	({ format }) => (format === "detailed" ? "2025年1月22日 14时30分25秒" : "2025-01-22 14:30:25"),
);
server.addTool(
	"create_file",
	"在本地创建文件并写入内容",
	{ filename: string({ description: "文件名", minLength: 1, maxLength: 64 }), content: string({ description: "文件内容" }) },
	({ filename, content }) => ({ filename, bytes: content.length }),
);
server.addTool("test.echo", "Returns its argument; ##END is a word in it", { text: string() }, ({ text }) => text);
server.addTool("test.later", "Returns its argument later", { text: string() }, async ({ text }) => {
	await Promise.resolve();
	return text;
});
server.addTool(
	"test.every_kind",
	"Takes every kind of argument",
	{
		count: integer({ minimum: 1, maximum: 9 }),
		ratio: number({ default: 0.5 }),
		names: array({ items: string(), maxItems: 3, optional: true }),
		point: object({ properties: { x: integer(), y: integer() }, optional: true }),
	},
	(args) => args,
);
server.addTool("test.nothing", "Returns nothing", {}, () => undefined);
server.addTool("test.no", "Returns false", {}, () => false);
server.addTool("test.image", "Returns a picture", {}, () => image("AAAA", "image/png"));
server.addTool("test.refuses", "Throws what the caller can mend", {}, () => {
	throw new ToolError("The arm is blocked");
});
server.addTool("test.throws", "Throws", {}, () => {
	throw new Error("boom");
});
server.addTool("test.large", "Returns a long text", { length: integer({ minimum: 0, maximum: 20_000 }) }, ({ length }) => "x".repeat(length));
server.addUserOnlyTool("test.hidden", "For people only", {}, () => true);
server.addTool("test.add_tool", "Adds a tool", {}, () => {
	server.addTool("test.added", "Was added", {}, () => "I am new");
	return true;
});
