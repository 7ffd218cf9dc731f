// The tool of a board with a camera. The picture goes to the vision server that the peer named in `initialize`, else to the peer itself.

import type { Camera, Photo } from "../hardware/camera.js";
import type { Device } from "../hardware/device.js";
import { image, ToolError, text } from "../mcp/content.js";
import { string } from "../mcp/schema.js";
import { defineTool, READS } from "../mcp/tool.js";

const MAX_QUESTION_LENGTH = 500;
/** A peer that takes less takes no picture. */
const MIN_PHOTO_BYTES = 16_384;

type WithCamera = Device & { readonly camera: Camera };

/** What a result takes besides the picture. */
const AROUND_BYTES = 1024;

/** `self.camera.take_photo`: the vision server's answer, as in the reference, or the picture for a peer that takes large results. */
export const takePhoto = defineTool({
	name: "self.camera.take_photo",
	title: { zh: "拍照识物" },
	description: {
		en: "Takes a photo with the device's camera and gives the answer to a question about it, or the photo itself. Use it when the user asks what the device sees, or to look at, read or recognize something.",
		zh: "用设备的摄像头拍一张照片，给出关于它的问题的答案，或者照片本身。当用户问设备看到了什么，或要它看、读、辨认某样东西时使用。",
	},
	properties: {
		question: string({
			minLength: 1,
			maxLength: MAX_QUESTION_LENGTH,
			description: { en: "What to find out from the photo", zh: "想从照片中知道什么" },
		}),
	},
	annotations: READS,
	needs: ["camera"],
	async call({ question }, { camera, services }: WithCamera, { vision, maxResultBytes = 0 }) {
		const room = maxResultBytes - AROUND_BYTES;
		if (vision ? !services?.see : room < MIN_PHOTO_BYTES)
			throw new ToolError(vision ? "This firmware was built without vision" : "This connection has no vision server that could look at a photo");
		if (camera.busy) throw new ToolError("A photo is being taken already");
		let photo: Photo | undefined;
		try {
			photo = await camera.take();
			if (vision) return await services?.see?.(photo.bytes, question, vision);
			const size = Math.ceil(photo.bytes.byteLength / 3) * 4;
			if (size > room) throw new Error(`the photo is too large, ${size} bytes, and at most ${room} can be sent`);
			return [text("The photo follows. If you cannot see it, say so: the camera works."), image(photo.base64(), "image/jpeg")];
		} catch (error) {
			throw new ToolError(`No answer: ${(error as Error).message}`);
		} finally {
			photo?.close();
		}
	},
});
